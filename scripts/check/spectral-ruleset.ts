import { createRulesetFunction, type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

interface Scheme {
  readonly type: string;
  readonly description?: string;
}

type Requirement = Readonly<Record<string, readonly string[]>>;

/** Security schemes that are asked for and not there, and roles that are asked for and explained nowhere. */
const securityExplained = createRulesetFunction<Requirement, null>(
  { input: { type: 'object' }, options: null },
  (requirement, _, { document }) => {
    const { components } = document.data as { components: { securitySchemes: Readonly<Record<string, Scheme>> } };
    return Object.entries(requirement).flatMap(([name, roles]) => {
      const scheme = components.securitySchemes[name];
      if (!scheme) return [{ message: `There is no security scheme ${name}.` }];
      return roles
        .filter((role) => !hasWord(scheme.description ?? '', role))
        .map((role) => ({ message: `The description of ${name} says nothing of ${role}.` }));
    });
  },
);

/** Whether a text has a name as a whole word: `tiles:read` does not explain `read`. */
function hasWord(text: string, name: string): boolean {
  return text.split(/[^\w:.-]+/).some((word) => word.replace(/[:.-]+$/, '') === name);
}

/**
 * The rules of Spectral for OpenAPI, all that it recommends. One is replaced by a rule of ours:
 *
 * `oas3-operation-security-defined` looks for every name beside a scheme among the scopes of OAuth. OpenAPI 3.1 has more:
 * beside any other scheme stand the roles that a caller needs, which are "not otherwise defined" (4.8.30). A bearer here
 * names the scope of an API key so. `security-explained` holds what the rule is for: that the scheme is there, and that a
 * reader finds the role in its description.
 */
export const ruleset: RulesetDefinition = {
  extends: [oas as RulesetDefinition],
  rules: {
    'oas3-operation-security-defined': 'off',
    'security-explained': {
      severity: 'error',
      given: '$.paths[*][*].security[*]',
      // biome-ignore lint/suspicious/noThenProperty: a rule of Spectral has this member
      then: { function: securityExplained },
    },
  },
};
