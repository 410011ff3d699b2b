// A small email that clients show differently: images, a dark-mode query, rounded corners, a conditional comment.

/** The HTML, with its pictures at `imagesUrl`. */
export function previewEmail(imagesUrl: string): string {
  return `<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8"><title>Spring proofs</title>
<meta name="color-scheme" content="light dark">
<style>.card{border-radius:24px;background:#ffe08a;padding:24px}@media (prefers-color-scheme:dark){.card{background:#203050;color:#ffffff}}</style></head>
<body style="margin:0;background:#ffffff"><table role="presentation" width="100%"><tr><td class="card" align="center">
<h1 style="color:#222222;font-family:Arial">Spring proofs</h1>
<img src="${imagesUrl}/red.png" width="120" height="80" alt="A red press">
<!--[if mso]><p style="color:#008000">Only Outlook for Windows shows this.</p><![endif]-->
<p style="color:#444444">Read before printing.</p></td></tr></table></body></html>`;
}
