import process from 'node:process';
import { GetProvinceResponse } from './psgc/zod.ts';

// What the service answers, checked by schemas that orval makes of its OpenAPI document.

const answer = await fetch(`${process.env.BASE}/v1/provinces/0702200000`);
const { data, error } = GetProvinceResponse.parse(await answer.json());
const name: string = data.name;
console.log(
  JSON.stringify({ name, error, isChecked: !GetProvinceResponse.safeParse({ data: {}, error: null }).success }),
);
