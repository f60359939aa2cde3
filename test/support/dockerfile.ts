import { readFileSync } from 'node:fs'

/** An instruction of a Dockerfile. */
export interface DockerStep {
  keyword: string
  text: string
}

/** Reads deploy/Dockerfile and returns the instructions of each stage, starting with FROM. */
export function readDockerfile(): DockerStep[][] {
  const lines = readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const stages: DockerStep[][] = []
  for (const line of lines) {
    const [keyword = ''] = line.split(' ', 1)
    if (keyword === 'FROM') stages.push([])
    stages.at(-1)?.push({ keyword, text: line.slice(keyword.length + 1) })
  }
  return stages
}
