package dev.ratelimit.actuate;

import java.util.Map;

import dev.ratelimit.base.EditListener;
import dev.ratelimit.base.UserEdit;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes changes of rules and switches as audit events of Spring Boot.
 *
 * @param publisher publishes them
 */
record EditAudit(ApplicationEventPublisher publisher) implements EditListener {

	/** The type of the events. */
	static final String TYPE = "RATELIMIT_CHANGED";

	@Override
	public void edited(UserEdit edit) {
		this.publisher.publishEvent(new AuditApplicationEvent(new AuditEvent(edit.user(), TYPE,
				Map.of("what", edit.subject(), "note", edit.note(), "changes", edit.changes()))));
	}

}
