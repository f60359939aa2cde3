/** Words with an apostrophe, which people in a hurry omit. */
export const contractions: Readonly<Record<string, string>> = {
  i: 'I',
  im: "I'm",
  ive: "I've",
  ill: "I'll",
  dont: "don't",
  cant: "can't",
  thats: "that's",
  its: "it's",
  youre: "you're",
  youve: "you've",
  didnt: "didn't",
  doesnt: "doesn't",
  wont: "won't",
  isnt: "isn't",
  arent: "aren't",
  wasnt: "wasn't",
  werent: "weren't",
  whats: "what's",
  hows: "how's",
  wheres: "where's",
  theres: "there's",
  couldnt: "couldn't",
  wouldnt: "wouldn't",
  shouldnt: "shouldn't",
  havent: "haven't",
  hasnt: "hasn't",
  hes: "he's",
  shes: "she's",
  theyll: "they'll",
  theyre: "they're",
}

/** Replaces the words that are in a map with their other form. Keeps a capital first letter. */
export function replaceWordForms(text: string, forms: ReadonlyMap<string, string>): string {
  return text.replace(/[a-z]+/gi, (word) => {
    const form = forms.get(word.charAt(0).toLowerCase() + word.slice(1))
    if (form === undefined || forms.has(word)) return form ?? word
    return form.charAt(0).toUpperCase() + form.slice(1)
  })
}
