/** Max messages of a batch, which only version 2025-03-26 of the protocol allows. */
const MAX_MESSAGES = 20;

/** Member for arguments that are not an object, because the library would reject the whole message. */
export const NO_OBJECT = 'arguments that are no object';

type Members = Readonly<Record<string, unknown>>;

/**
 * Converts the body of a request to what the library accepts.
 *
 * @returns `message`: one or several; undefined if none needs a response. Or `fault`: why the batch is refused
 */
export function readMessages(body: unknown): { readonly message: unknown } | { readonly fault: string } {
  if (!Array.isArray(body)) return { message: readable(body) };
  if (body.length === 0 || body.length > MAX_MESSAGES) {
    return { fault: `A batch must have 1 to ${MAX_MESSAGES} messages (got ${body.length}).` };
  }
  const ids = body.flatMap((message) => (isObject(message) && message.id !== undefined ? [message.id] : []));
  if (new Set(ids).size < ids.length) return { fault: 'The messages of a batch must have different ids.' };
  // A cancelled request never gets a response, and the rest of its batch would wait for it.
  const messages = body.filter((message) => !(isObject(message) && message.method === 'notifications/cancelled'));
  return { message: messages.length === 0 ? undefined : messages.map(readable) };
}

/** The message with its arguments wrapped where needed, so that they reach the handlers. */
function readable(message: unknown): unknown {
  if (!isObject(message) || !isObject(message.params) || message.params.arguments === undefined) return message;
  const { method, params } = message;
  const given = params.arguments;
  const passedOn = (value: unknown) => ({ ...message, params: { ...params, arguments: value } });
  if (method === 'tools/call')
    return isObject(given) ? message : passedOn(given === null ? {} : { [NO_OBJECT]: given });
  if (method !== 'prompts/get') return message;
  // Prompts take text only; a code may arrive as a number.
  const texts = isObject(given) ? Object.entries(given) : [];
  return passedOn(Object.fromEntries(texts.map(([name, value]) => [name, textOf(value)])));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
}

function isObject(value: unknown): value is Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
