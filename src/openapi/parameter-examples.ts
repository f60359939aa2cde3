/**
 * Values of the right form for parameters that are text and whose schemas show none, by name: a reader copies them, an import sends them.
 */
export const parameterExamples: Readonly<Record<string, string>> = {
  after_publish_time: '1788249600.000000',
  before_publish_time: '1788249600.000000',
  exclude_label: 'archived',
  exp: '1790000000',
  group: '1',
  h: '9e107d9d372bb6826bd81d3542a419d6',
  ids: '2001,2002',
  label: 'archived',
  marker: '2026-09-01T12:00:00.000Z_1',
  q: 'hello',
  query: 'hello',
  refresh: '1',
  share_id: '3f2b8c1e-5a4d-4e6f-8a9b-0c1d2e3f4a5b',
  sig: 'abc',
  token: 'abc',
  upload_id: 'abc',
  url: 'https://example.com/file.jpg',
  username: 'spring_fan',
  world: 'main',
}
