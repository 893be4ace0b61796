import { Skeleton, Stack } from '@mantine/core'
import { useSurroundings } from '#web/ui/text/words.tsx'

export function LoadingRows({ rows = 5, height = 36 }: { rows?: number; height?: number }) {
  const { say } = useSurroundings()
  return (
    <Stack gap={8} role="status" aria-busy="true" aria-label={say('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  )
}
