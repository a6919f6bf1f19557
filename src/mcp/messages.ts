/** The most messages of one body, which only the version 2025-03-26 of the protocol has. */
const MAX_MESSAGES = 20;

/** The member in which arguments are passed on that are no object, which the library takes for no message at all. */
export const NO_OBJECT = 'arguments that are no object';

type Members = Readonly<Record<string, unknown>>;

/**
 * The body of a request as the library takes it.
 *
 * @returns `message`: one or several; undefined where there is none to answer. Or `fault`: why the batch is refused
 */
export function readMessages(body: unknown): { readonly message: unknown } | { readonly fault: string } {
  if (!Array.isArray(body)) return { message: readable(body) };
  if (body.length === 0 || body.length > MAX_MESSAGES) {
    return { fault: `A batch must have 1 to ${MAX_MESSAGES} messages (got ${body.length}).` };
  }
  const ids = body.flatMap((message) => (isObject(message) && message.id !== undefined ? [message.id] : []));
  if (new Set(ids).size < ids.length) return { fault: 'The messages of a batch must have different ids.' };
  // A request that is cancelled is never answered, and the others of its batch would wait for it.
  const messages = body.filter((message) => !(isObject(message) && message.method === 'notifications/cancelled'));
  return { message: messages.length === 0 ? undefined : messages.map(readable) };
}

/** The message with arguments that the handlers get to see, whatever they are. */
function readable(message: unknown): unknown {
  if (!isObject(message) || !isObject(message.params) || message.params.arguments === undefined) return message;
  const { method, params } = message;
  const given = params.arguments;
  const passedOn = (value: unknown) => ({ ...message, params: { ...params, arguments: value } });
  if (method === 'tools/call')
    return isObject(given) ? message : passedOn(given === null ? {} : { [NO_OBJECT]: given });
  if (method !== 'prompts/get') return message;
  // Texts are all that prompts take. A code may come as a number.
  const texts = isObject(given) ? Object.entries(given) : [];
  return passedOn(Object.fromEntries(texts.map(([name, value]) => [name, textOf(value)])));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
}

function isObject(value: unknown): value is Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
