/** The panel's HTML. Its policy allows only its own style sheet and the one script with the nonce. */
export function page(source: string, script: string, style: string, nonce: string): string {
  const policy = `default-src 'none'; style-src ${source}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Flow Map</title>
</head>
<body>
<header>
<h1 id="query"></h1>
<div role="toolbar" aria-label="Flow map">
<button id="out" type="button" aria-label="Zoom out" title="Zoom out (-)">&#x2212;</button>
<button id="share" type="button" aria-label="Actual size" title="Actual size (0)">100%</button>
<button id="in" type="button" aria-label="Zoom in" title="Zoom in (+)">+</button>
<button id="fit" type="button" title="Show the whole flow (F)">Fit</button>
<button id="save" type="button" title="Save the picture as a file">Export SVG</button>
</div>
</header>
<main id="map" tabindex="-1"></main>
<footer id="legend">Dashed arrow: this relation is not confirmed.</footer>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
