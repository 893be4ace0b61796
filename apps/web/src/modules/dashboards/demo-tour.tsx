import { Anchor, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { demoTour } from '#domain/dashboards/tour.ts'
import { useBranding } from '#web/shell/branding.ts'
import { useSession } from '#web/shell/session/session.tsx'

/** Demo pages the reader may open, by the role that works there; renders nothing in a real installation. */
export function DemoTour() {
  const { t } = useTranslation('dashboards')
  const { demo } = useBranding()
  const { may } = useSession()
  const links = demoTour.filter(({ access }) => may(access))
  if (!demo || links.length === 0) return null
  return (
    <section aria-labelledby="demo-tour" className="no-print">
      <Title order={2} size="h4" id="demo-tour">
        {t('tour.title')}
      </Title>
      {[...Map.groupBy(links, ({ role }) => role)].map(([role, pages]) => (
        <div key={role}>
          <Text c="dimmed" mt="sm">
            {t('tour.as', { role })}
          </Text>
          <ul>
            {pages.map(({ key, path }) => (
              <li key={key}>
                <Anchor component={Link} to={path}>
                  {t(`tour.links.${key}.name`)}
                </Anchor>
                {': '}
                {t(`tour.links.${key}.text`)}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
