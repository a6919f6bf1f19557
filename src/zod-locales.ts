// What wrangler.toml puts into the Worker in place of zod's translations: nothing. They are 40 kB of the packed bundle,
// zod brings them along for whoever might ask, and the service speaks one language.
export {};
