import { Text } from '@mantine/core'
import type { AnyList, RowOf } from '#domain/list.ts'
import { ListCard } from '#web/list/list-card.tsx'
import type { DeclaredProps } from '#web/list/types.ts'

type Problem = { number: number; header: string | null; value: string | null; reason: string }

type Props<L extends AnyList> = Pick<DeclaredProps<L>, 'list' | 'title' | 'rowTitle' | 'controls' | 'cells'> & {
  /** Import whose problems are listed. */
  id: string
  /** Sentence in place of an empty list. */
  none: string
  /** First word of a card on narrow screens, such as `B7`. */
  startOf: (problem: RowOf<L>) => string
}

/** Problems of an import as a card, each with its sentence. */
export function ProblemList<L extends AnyList>({ id, none, startOf, cells, ...declared }: Props<L>) {
  const parts = {
    rowId: ({ number }: Problem) => String(number),
    cells: { reason: ({ reason }: Problem) => <span style={{ whiteSpace: 'normal' }}>{reason}</span>, ...cells },
    card: (problem: Problem) => (
      <div>
        <Text size="sm">
          {[startOf(problem as RowOf<L>), problem.header, problem.value].filter(Boolean).join(' · ')}
        </Text>
        <Text size="sm" c="dimmed">
          {problem.reason}
        </Text>
      </div>
    ),
  } as unknown as Pick<DeclaredProps<L>, 'rowId' | 'cells' | 'card'>
  return <ListCard<L> {...declared} {...parts} prefix="p." params={{ id }} empty={{ title: none }} />
}
