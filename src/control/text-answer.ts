/** The answer of a control route that is text in place of JSON. */
export class TextAnswer {
  readonly contentType: string
  readonly text: string

  constructor(contentType: string, text: string) {
    this.contentType = contentType
    this.text = text
  }
}
