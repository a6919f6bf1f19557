/** The text of a file, which the bundler of the tests puts in. */
declare module '*?raw' {
  const text: string;
  export default text;
}
