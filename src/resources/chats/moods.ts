/** Words with which a line in a good mood begins. */
const cheerfulWords: ReadonlySet<string> = new Set(
  (
    'hi hey hello good gm morning happy thanks thank thx ty love loved great nice perfect cool yes ' +
    'yay finally wow omg amazing beautiful best congrats stunning welcome deal haha lol'
  ).split(' '),
)
/** Words of a complaint or bad news. */
const complaintWords: ReadonlySet<string> = new Set(
  (
    'not no cant dont hate hurt hurts broke broken lost sick tired cold died dead bad worst ugh ' +
    'never late failed expensive sorry missed pain stress rain killing annoyed eats ate holes wrong'
  ).split(' '),
)
/** Greetings, thanks and wishes, after which people address each other. */
const addressable: ReadonlySet<string> = new Set(
  (
    'hi,hey,heyy,hello,morning,good morning,evening,good evening,gm,night,good night,gn,sleep well,' +
    'sweet dreams,take care,see you,enjoy,thanks,thank you,thx,ty,welcome,happy birthday,congrats,' +
    'good luck,miss you,you too,same to you,looking good,you look great,so pretty'
  ).split(','),
)
/** Words that may follow a greeting or thanks. */
const ending = / (?:so much|a lot|again|there|back)$/

/** True if a line is in a good mood. */
export function isCheerful(text: string): boolean {
  const [first = ''] = text.toLowerCase().split(/[^a-z]/, 1)
  return cheerfulWords.has(first)
}

/** True if a line complains or tells bad news. */
export function isComplaint(text: string): boolean {
  return text
    .toLowerCase()
    .replaceAll("'", '')
    .split(/[^a-z]+/)
    .some((word) => complaintWords.has(word))
}

/** True for a greeting, thanks or a wish, to which people add a name or a pet name. */
export function isAddressable(text: string): boolean {
  return addressable.has(text.toLowerCase().replace(ending, ''))
}
