/** The base URL, key and account for the API. */
export interface Access {
  baseUrl: string
  apiKey: string
  accountId: number
}

/** A post of the report. */
export interface Row {
  id: number
  views: number
  picture: number
}
