/** The version of `package.json`, which is too large to be in the Worker. A test compares the two. */
export const VERSION = '1.0.0';
