import { Grid, Stack } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { getEntity, hasView } from '#entities/index.ts'
import { isNotFound } from '#web/api/client.ts'
import { CreateInPlace } from '#web/resource/form/create-in-place.tsx'
import { ResourceForm } from '#web/resource/form/resource-form.tsx'
import { HistoryPanel, LastChange } from '#web/resource/history-panel.tsx'
import { editPath, listPath, viewPath } from '#web/resource/paths.ts'
import { titleOf } from '#web/resource/words.ts'
import { NoRecord, RecordFailed } from '#web/shell/record-failed.tsx'
import { usePageTitle, useScreenTitle } from '#web/shell/title.tsx'
import { useGoBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { extrasOf } from './extras.tsx'
import { useAncestors } from './use-ancestors.ts'
import { useRow } from './use-row.ts'
import { useTarget } from './use-target.ts'

/** Adds or changes a row of any entity. */
export default function MasterFormPage() {
  const { entity, id, parentId } = useTarget()
  const navigate = useNavigate()
  const goBack = useGoBack()
  const { row, loading, error, retry } = useRow(entity, id, { fresh: true })
  const parent = useRow(getEntity(entity.parent?.slug ?? 'fakultas'), parentId)
  const title = useScreenTitle()
  const name = titleOf(entity, row)
  usePageTitle(name ? `${title}: ${name}` : null, useAncestors(entity, parentId))
  const listAddress = listPath(entity, parentId)
  const parentTitle = entity.parent ? titleOf(getEntity(entity.parent.slug), parent.row) : ''
  const { below: Below, beside: Beside, stays } = extrasOf(entity.slug)
  const [values, setValues] = useState<Record<string, unknown>>({})

  if (error && !row) return <RecordFailed error={error} onRetry={retry} />
  if (isNotFound(parent.error)) return <NoRecord />
  return (
    <>
      <PageHeader
        title={name || title}
        description={
          (name || parentTitle) && (
            <>
              {[name && title, parentTitle].filter(Boolean).join(' · ')}
              {id && <LastChange entity={entity} id={id} />}
            </>
          )
        }
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, lg: id || Beside ? 8 : 12 }}>
          <Stack>
            <Card>
              {loading || parent.loading ? (
                <LoadingRows rows={6} height={56} />
              ) : (
                <CreateInPlace Form={ResourceForm}>
                  <ResourceForm
                    key={row ? `${row.id} ${row.version}` : 'new'}
                    entity={entity}
                    parentId={parentId}
                    row={row}
                    onSaved={(saved, another) => {
                      if (another) return window.scrollTo({ top: 0 })
                      if (!id && stays) return navigate(editPath(entity, saved.id, parentId))
                      if (!id && hasView(entity)) return navigate(viewPath(entity, saved.id))
                      goBack(listAddress)
                    }}
                    onChange={Beside && setValues}
                    onLeave={() => goBack(listAddress)}
                  />
                </CreateInPlace>
              )}
            </Card>
            <Suspense fallback={<LoadingRows rows={3} />}>{Below && id && <Below id={id} />}</Suspense>
          </Stack>
        </Grid.Col>
        {(id || Beside) && (
          <Grid.Col span={{ base: 12, lg: 4 }}>
            <Stack>
              <Suspense fallback={<LoadingRows rows={3} />}>{Beside && <Beside values={values} />}</Suspense>
              {id && <HistoryPanel entity={entity} id={id} row={row} />}
            </Stack>
          </Grid.Col>
        )}
      </Grid>
    </>
  )
}
