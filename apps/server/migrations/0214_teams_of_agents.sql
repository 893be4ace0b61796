-- An agent without a team is offered nobody while people wait.
UPDATE chat_agents SET teams = '{admissions,finance}' WHERE teams = '{}';
ALTER TABLE chat_agents ADD CHECK (teams <> '{}');
