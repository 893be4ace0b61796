import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { scopedAudiences } from '#domain/campaigns/campaigns.ts'
import { listCampaigns } from '#domain/campaigns/lists.ts'
import { screenAt } from '#domain/campaigns/screens.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { SharedLinks } from './shared-links.tsx'
import { campaignTones } from './tones.ts'

/** List for a screen with one audience. The audience column is hidden until the reader shows it. */
const withoutAudience = {
  ...listCampaigns,
  columns: { ...listCampaigns.columns, audience: { ...listCampaigns.columns.audience, hidden: true } },
} as typeof listCampaigns

/** Lists the campaigns of a screen. */
export default function CampaignsPage() {
  const { t } = useTranslation(['send', 'campaigns'])
  const { limited } = useSession()
  const screen = screenAt(useLocation().pathname)
  return (
    <DataList
      list={screen.audiences.length === 1 ? withoutAudience : listCampaigns}
      title={useScreenTitle()}
      query={{ screen: screen.key }}
      searchLabel={t('list.search')}
      rowTitle={({ name }) => name}
      href={({ id }) => `${screen.path}/${id}`}
      lead={<SharedLinks screen={screen} />}
      actions={
        (!limited || screen.audiences.some((audience) => scopedAudiences.includes(audience))) && (
          <Button component={Link} to={`${screen.path}/create`} leftSection={<IconPlus size={18} aria-hidden />}>
            {t('list.new')}
          </Button>
        )
      }
      controls={{
        screen: { kind: 'fixed' },
        // A screen with one audience needs no audience filter.
        ...(screen.audiences.length === 1
          ? { audience: { kind: 'fixed' } }
          : {
              audience: {
                kind: 'choice',
                choices: screen.audiences.map((value) => ({ value, label: t(`campaigns:audience.${value}`) })),
              },
            }),
      }}
      cells={{
        state: ({ state }) => <StatusDot tone={campaignTones[state]} label={t(`campaigns:state.${state}`)} />,
      }}
      empty={{ title: t('list.empty'), text: t(`list.emptyText.${screen.key}`) }}
    />
  )
}
