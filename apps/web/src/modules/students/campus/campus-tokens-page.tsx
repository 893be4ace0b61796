import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createCampusToken, revokeCampusToken } from '#domain/students/campus/endpoints.ts'
import { type CampusTokenRow, listCampusTokens } from '#domain/students/campus/lists.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { CreateTokenDialog } from './create-token-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { TokenDialog } from './token-dialog.tsx'

/** Tokens with which the campus system reads students. */
export default function CampusTokensPage() {
  const { t } = useTranslation('campus')
  const { may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const [newToken, setNewToken] = useState<string | null>(null)
  const actions: RowAction<CampusTokenRow>[] = [
    {
      key: 'revoke',
      label: t('revoke.action'),
      right: revokeCampusToken.access,
      danger: true,
      suits: ({ state }) => state === 'active',
      dialog: ([row], ends) => row && <RevokeDialog token={row} {...ends} />,
    },
  ]
  return (
    <>
      <DataList
        list={listCampusTokens}
        title={useScreenTitle()}
        searchLabel={t('search')}
        rowTitle={({ name }) => name}
        href={({ id }) => `/settings/campus/${id}`}
        dimmed={({ state }) => state === 'revoked'}
        rowActions={actions}
        cells={{
          state: ({ state }) => (
            <StatusDot tone={state === 'active' ? 'done' : 'stopped'} label={t(`state.${state}`)} />
          ),
        }}
        empty={{ title: t('empty'), text: t('emptyText') }}
        actions={
          may(createCampusToken.access) && (
            <Button onClick={() => setCreating(true)} leftSection={<IconPlus size={18} aria-hidden />}>
              {t('create.open')}
            </Button>
          )
        }
      />
      {isCreating && (
        <CreateTokenDialog
          onClose={() => setCreating(false)}
          onDone={(token) => {
            setCreating(false)
            setNewToken(token)
          }}
        />
      )}
      {newToken && <TokenDialog token={newToken} onClose={() => setNewToken(null)} />}
    </>
  )
}
