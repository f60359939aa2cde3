/** The policy of the page: it may load its own files and call the API of its server, nothing else. */
export const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Writes the page and fills in an API key, which may be empty. All its addresses are relative, so that it works under any path. */
export function renderPage(key: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Creator Analytics and Management API (sandbox)</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="reference" data-key="${escape(key)}"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`
}

/** The script that starts the viewer. Requests go to the server of the page, not to the base address in the document. */
export const startScript = `(async () => {
  const place = document.getElementById('reference')
  const root = location.href.replace(/\\/docs(?:[?#].*)?$/, '')
  const response = await fetch(root + '/openapi.json')
  const spec = { ...(await response.json()), servers: [{ url: root }] }
  const ui = SwaggerUIBundle({
    domNode: place,
    spec,
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
    onComplete: () => {
      if (place.dataset.key !== '') ui.preauthorizeApiKey('bearer', place.dataset.key)
    },
  })
})()
`

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
