package dev.ratelimit.actuate;

import java.util.List;
import java.util.Map;

import dev.ratelimit.base.EditListener;

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
	public void changed(String user, String what, String note, List<String> changes) {
		this.publisher.publishEvent(new AuditApplicationEvent(
				new AuditEvent(user, TYPE, Map.of("what", what, "note", note, "changes", changes))));
	}

}
