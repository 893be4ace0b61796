import type { AnyList } from '#domain/list.ts'
import { Card } from '#web/ui/card.tsx'
import { ListContent, useCountText } from './rows/list-content.tsx'
import type { DeclaredProps } from './types.ts'
import { useDataList } from './use-data-list.ts'
import { useDeclared } from './use-declared.tsx'

/** A declared list as a card on another record's page; `prefix` starts the names of its address parameters. */
export function ListCard<L extends AnyList>({ prefix, ...declared }: DeclaredProps<L> & { prefix: string }) {
  const props = { ...useDeclared(declared as unknown as DeclaredProps<L>), prefix }
  const state = useDataList(props, { hasKeys: false })
  const count = useCountText(state.found.meta)
  return (
    <Card flush title={props.title} count={count} actions={props.actions}>
      <ListContent props={props} state={state} />
    </Card>
  )
}
