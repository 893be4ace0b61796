-- Messages beyond `seq` that the account has read: those of a conversation that was joined to this one.
ALTER TABLE chat_marks ADD COLUMN also_read int4multirange NOT NULL DEFAULT '{}';
