import { NAME_LEVELS } from '../../../../src/names/source.ts';
import type { Place } from '../../src/types.ts';
import { integer, oneOf } from '../command-line.ts';
import { standardOutput } from '../output.ts';
import { openService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { tableText } from '../words.ts';
import type { Found, Invocation } from './command.ts';

const DECIMAL = /^[+-]?\d+(\.\d+)?$/;

const SHOWN = ['barangay', 'submunicipality', 'municity', 'province', 'host_province', 'region'] as const;

export async function reverse({ words, options }: Invocation): Promise<Found> {
  const numbers = words.flatMap((word) => word.split(',')).filter((word) => word !== '');
  const [lat, lon] = numbers;
  if (numbers.length !== 2 || lat === undefined || lon === undefined || !numbers.every((word) => DECIMAL.test(word))) {
    throw new UsageError(
      'What lies where? Give a latitude and a longitude in degrees, such as: psgc reverse 9.88 123.6',
    );
  }
  const query = {
    lat,
    lon,
    level: options.level === undefined ? undefined : oneOf('level', options.level, NAME_LEVELS),
    within: options.within === undefined ? undefined : integer('within', options.within, { min: 0, max: 15_000 }),
  };
  const { transport } = await openService('reverse', options);
  const call = { path: '/v1/geocode/reverse', query, hasEdition: true };
  const { text, body } = await transport.verbatim<{ data: Place }>(call);
  const { data } = body;
  if (options.json) await standardOutput.write(`${text}\n`);
  else if (data.match === null) {
    if (!options.quiet) console.error(`psgc reverse: nothing lies at ${lat}, ${lon}. --within METRES looks around it.`);
  } else {
    const rows = SHOWN.flatMap((level) => {
      const area = data[level];
      return area ? [[area.code, area.name, level]] : [];
    });
    await standardOutput.write(tableText([['CODE', 'NAME', 'LEVEL'], ...rows]));
    if (data.match === 'nearest' && !options.quiet)
      console.error(`psgc reverse: the nearest, ${data.distance_m} m away.`);
  }
  return data.match !== null;
}
