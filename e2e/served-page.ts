/** Removes the content and the responses from the HTML of a page. The app then renders the page and requests them. */
export const emptyPage = (html: string): string =>
  html
    .replace(/<div id="root">.*<\/div>(?=<script type="application\/json")/s, '<div id="root"></div>')
    .replace('<template id="app" data-document>', '<template id="app">')
    .replace(/"queries":\{.*\}(?=\}<\/script>)/s, '"queries":{"mutations":[],"queries":[]}');
