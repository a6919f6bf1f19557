/** The version of `package.json`, which is too large to be in the Worker. A test compares the two. */
export const VERSION = '0.2.0';
