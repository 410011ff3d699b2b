-- Tags are compared without regard to case, which this index cannot.
drop index sent_messages_tags;
