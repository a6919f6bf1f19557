/** The URL of a script that is bundled for a worker; see scripts/pages/worker-urls.ts. */
declare module '*?worker' {
  const url: string;
  export default url;
}
