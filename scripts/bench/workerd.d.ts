declare module 'workerd' {
  /** The package is CommonJS; its own default is the path of the runtime's binary. */
  const runtime: { default: string };
  export = runtime;
}
