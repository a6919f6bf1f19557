import { readdir, readFile, writeFile } from 'node:fs/promises';

// Facts of a process from Linux's /proc.

/** Max memory that a process has had in use since `resetPeak`, bytes (VmHWM). */
export async function readPeak(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** Sets the peak to the memory that the process has in use now. */
export function resetPeak(pid: number): Promise<void> {
  return writeFile(`/proc/${pid}/clear_refs`, '5');
}

/** CPU time that the threads of a process have used, seconds. Those that have ended are not counted. */
export async function readCpuTime(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const times = await Promise.all(
    threads.map(async (thread) => {
      const text = await readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').catch(() => '0');
      return Number(text.split(' ')[0]);
    }),
  );
  return times.reduce((sum, time) => sum + time, 0) / 1e9;
}
