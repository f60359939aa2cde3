/** Base URL, key and account for the API. */
export interface Access {
  baseUrl: string
  apiKey: string
  accountId: number
}

/** One post in the report. */
export interface Row {
  id: number
  views: number
  picture: number
}
