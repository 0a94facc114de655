// The front page as HTML: the live board, what state it is in, and where to read on.

export const boardMarkup = (assets: {
  readonly style: string;
  readonly script: string;
}): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Tickers ranked by attention density, live.">
<title>Barograph – attention, live</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets.style}">
<script type="module" src="${assets.script}"></script>
</head>
<body>
<p id="fixture" class="banner" role="note" hidden><strong>Fixture data.</strong> Everything on this page is synthetic, made for trying things out.</p>
<header>
<h1>Barograph</h1>
<p class="lead">Tickers ranked by attention density: effective posts per day and USD&nbsp;1&nbsp;billion of market capitalisation.</p>
<nav aria-label="Documentation"><a href="/docs">API documentation</a> <a href="/v1/snapshot/leaderboard">This board as JSON</a> <a href="/health">Health</a></nav>
</header>
<main>
<p class="status"><span id="light" class="light" aria-hidden="true"></span><span id="state" role="status">Connecting…</span> <span id="age"></span></p>
<div class="scroll" role="region" aria-labelledby="caption" tabindex="0">
<table>
<caption id="caption">Leaderboard <span id="as-of"></span></caption>
<thead>
<tr><th scope="col" class="number">Rank</th><th scope="col">Change</th><th scope="col">Ticker</th><th scope="col" class="number">Density</th><th scope="col">Band</th><th scope="col" class="number">Share</th><th scope="col">Size</th></tr>
</thead>
<tbody id="rows"></tbody>
</table>
</div>
<noscript><p>This page needs JavaScript; <a href="/v1/snapshot/leaderboard">the same board as JSON</a> does not.</p></noscript>
</main>
<footer><p>Measurement, not advice.</p></footer>
</body>
</html>
`;
