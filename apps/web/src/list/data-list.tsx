import { Button, CloseButton, Group, Stack, Text } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnyList } from '#domain/list.ts'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { useSettledMedia } from '#web/ui/use-settled-media.ts'
import { ButtonsOfRow } from './actions/row-buttons.tsx'
import { KeysDialog } from './keys/list-keys.tsx'
import classes from './list.module.css'
import { ListContent, useCountText } from './rows/list-content.tsx'
import { RowFacts } from './rows/list-rows.tsx'
import { useFittingCount } from './rows/use-fitting-count.ts'
import { useScrollMemory } from './rows/use-scroll-memory.ts'
import { useWindowRest } from './rows/use-window-rest.ts'
import type { DeclaredProps, ListProps, RowsAnswer } from './types.ts'
import { useDataList } from './use-data-list.ts'
import { useDeclared } from './use-declared.tsx'

/**
 * Page with a declared list: search, filters, order, columns and page number in the address, saved views, selection
 * with actions, and a preview of the current row. All parts work by keyboard.
 */
export function DataList<L extends AnyList>(declared: DeclaredProps<L>) {
  const props = useDeclared(declared)
  const { rowTitle, preview } = props
  const { t } = useTranslation('list')
  const isNarrow = useSettledMedia('(max-width: 48em)')
  const state = useDataList(props, { hasKeys: true })
  const { found, openRow, open, close, keys, actionState } = state
  const boxRef = useRef<HTMLDivElement>(null)
  const boxHeight = useWindowRest(boxRef, !isNarrow && found.rows.length > 0)
  const fittingCount = useFittingCount(boxRef, openRow !== undefined, state.columns.visible.length)
  useScrollMemory(boxRef, found.rows.length > 0 && (isNarrow || boxHeight !== undefined))
  const count = useCountText(found.meta)
  return (
    <>
      <PageHeader
        title={props.title}
        count={count}
        actions={props.actions}
        description={summaryOf(props, found.meta)}
      />
      <div className={classes.layout} data-list data-preview={openRow ? true : undefined}>
        <Card flush>
          <ListContent {...{ props, state, fittingCount: fittingCount, boxRef, boxHeight }} isPage />
        </Card>
        {openRow && preview && (
          <aside className={classes.preview} aria-label={rowTitle(openRow)}>
            <Card
              title={rowTitle(openRow)}
              actions={
                <>
                  {(props.href?.(openRow) || props.onOpen) && (
                    <Button size="compact-sm" onClick={() => open(openRow)} children={t('open')} />
                  )}
                  <CloseButton aria-label={t('closePreview')} onClick={close} />
                </>
              }
            >
              <Stack gap="md">
                {preview === true ? <RowFacts columns={props.columns.slice(1)} row={openRow} /> : preview(openRow)}
                <ButtonsOfRow
                  actionState={{ ...actionState, actions: actionState.actions.filter(({ many }) => !many) }}
                  row={openRow}
                />
              </Stack>
            </Card>
          </aside>
        )}
      </div>
      <Group justify="flex-end" mt="xs" visibleFrom="sm" className="no-print">
        <Text size="xs" c="dimmed">
          {t('keys.hint')}
        </Text>
      </Group>
      <KeysDialog opened={keys.help} onClose={keys.closeHelp} selects={keys.selects} acts={keys.acts} />
    </>
  )
}

function summaryOf<Row>({ summary }: ListProps<Row>, meta: RowsAnswer<Row>['meta'] | undefined) {
  if (typeof summary !== 'function') return summary
  return meta && (meta.total ?? 0) > 0 ? summary(meta) : undefined
}
