import { z } from '@hono/zod-openapi';
import { DATA_TYPES } from '../datasets/schemas.ts';
import { pageParams } from '../http/pagination.ts';
import { choiceParam, flagParam, momentParam, textParam } from '../http/params.ts';
import { idParam } from '../http/schemas.ts';

// The parameters of the lists.

export const userQuery = z.object({
  ...pageParams,
  email: textParam({ description: 'Complete email address; case is ignored', example: 'maria@example.com' }).optional(),
  subject: textParam({ description: "The identity provider's id", example: 'user_1' }).optional(),
  status: choiceParam(['active', 'deleted', 'erased'], 'Filter by status').optional(),
  is_admin: flagParam('Filter by whether they are administrators').optional(),
});

export type UserQuery = z.output<typeof userQuery>;

export const keyQuery = z.object({
  ...pageParams,
  user_id: idParam('Filter by user').optional(),
  prefix: textParam({ description: 'The part of the key that identifies it', example: '7Hq2mZ0cVbXk' }).optional(),
  status: choiceParam(['active', 'revoked', 'expired'], 'Filter by status').optional(),
  environment: choiceParam(['live', 'test'], 'Filter by environment').optional(),
});

export type KeyQuery = z.output<typeof keyQuery>;

export const datasetQuery = z.object({
  ...pageParams,
  user_id: idParam('Filter by user').optional(),
  user_email: textParam({
    description: 'Complete email address of the owner; case is ignored',
    example: 'maria@example.com',
  }).optional(),
  is_public: flagParam('Filter by whether they are public').optional(),
  data_type: choiceParam(DATA_TYPES, 'Filter by type of data').optional(),
  status: textParam({ description: 'Filter by status', example: 'ready' }).optional(),
});

export type DatasetQuery = z.output<typeof datasetQuery>;

/** The parameters of both logs for when something happened. */
const spanParams = {
  since: momentParam('Earliest time, inclusive').optional(),
  until: momentParam('Latest time, exclusive').optional(),
  order: choiceParam(['asc', 'desc'], 'desc: newest first; asc: oldest first')
    .optional()
    .transform((order) => order ?? 'desc')
    .openapi({ default: 'desc' }),
};

export const auditQuery = z.object({
  ...pageParams,
  action: textParam({ description: 'Filter by action', example: 'api_key.revoked' }).optional(),
  user_id: idParam('Filter by acting user').optional(),
  subject_type: textParam({ description: 'Filter by type of subject', example: 'api_key' }).optional(),
  subject_id: textParam({
    description: 'Filter by id of the subject',
    example: '5b0f0a7e-54c6-4c1b-9d7a-0d8f6d6f2c11',
  }).optional(),
  request_id: textParam({
    description: 'Filter by request id',
    example: 'a212b690-9117-4678-9b54-474b48e3e195',
  }).optional(),
  ...spanParams,
});

export type AuditQuery = z.output<typeof auditQuery>;

export const eventQuery = z.object({
  ...pageParams,
  source: choiceParam(['identity', 'email'], 'Filter by provider').optional(),
  type: textParam({ description: 'Filter by type', example: 'user.created' }).optional(),
  delivery_id: textParam({
    description: "Filter by the sender's id of the delivery",
    example: 'msg_2b6rGqZ',
  }).optional(),
  noted: flagParam('Filter by whether their content prevented an effect').optional(),
  ...spanParams,
});

export type EventQuery = z.output<typeof eventQuery>;
