-- A person who was away asks for the events of one conversation.
CREATE INDEX chat_events_conversation ON chat_events (conversation_id, id);
