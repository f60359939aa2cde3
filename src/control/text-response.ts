/** A control plane response with text instead of JSON. */
export class TextResponse {
  readonly contentType: string
  readonly text: string

  constructor(contentType: string, text: string) {
    this.contentType = contentType
    this.text = text
  }
}
