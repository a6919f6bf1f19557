import { readFile, writeFile } from 'node:fs/promises';

// What Linux tells of a process in /proc.

/** Clock ticks a second of `/proc/<pid>/stat`. */
const TICKS = 100;

/** The most memory that a process has had in use since `resetPeak`, bytes (VmHWM). */
export async function readPeak(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** Sets the peak to the memory that the process has in use now. */
export function resetPeak(pid: number): Promise<void> {
  return writeFile(`/proc/${pid}/clear_refs`, '5');
}

/** CPU time that a process has used, seconds. */
export async function readCpuTime(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
