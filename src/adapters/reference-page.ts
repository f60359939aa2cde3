/** What the page may load and ask: itself and the API beside it, nothing else. */
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

/** The page with the API key to begin with, which may be empty. Its addresses are relative: it can be mounted under any path. */
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

/** Starts the viewer: requests go to where the page is from, whatever the base address in the document says. */
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
