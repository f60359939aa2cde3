/** Writes a phrase as people type it in chats: `don't` for `do not`, `it's` for `it is`. */
export function contract(phrase: string): string {
  let text = phrase
    .replace(/\b(ca)nnot\b/gi, "$1n't")
    .replace(/\b(w)ill not\b/gi, "$1on't")
    .replace(negated, "$1n't")
    .replace(/\b(l)et us\b/gi, "$1et's")
  for (const [pattern, short] of pairs) text = text.replace(pattern, short)
  return text
}

/** Verbs before `not`. */
const negated = /\b(is|are|was|were|do|does|did|has|have|had|could|would|should|need) not\b/gi
/** Pronouns with a verb, and the short form. A verb at the end of a clause stays: `here I am`. */
const pairs: readonly (readonly [RegExp, string])[] = [
  [/\b(I) am(?= [\w{])/g, "$1'm"],
  [/\b(it|that|there|here|he|she) is(?= [\w{])/gi, "$1's"],
  [/\b(what|who|how|where) is(?= (?!it\b|that\b)[\w{])/gi, "$1's"],
  [/\b(you|we|they) are(?= [\w{])/gi, "$1're"],
  [/\b(I|you|we|they|it|he|she|that) will(?= (?!not\b)[\w{])/gi, "$1'll"],
  [/\b(I|you|we|they|he|she) would(?= (?!not\b|as\b)[\w{])/gi, "$1'd"],
  [/\b(I|you|we|they) have(?= (?:been|never|given|seen|got|had|done)\b)/gi, "$1've"],
]
