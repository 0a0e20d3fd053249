package dev.ratelimit.actuate;

import java.util.Map;

import dev.ratelimit.base.UserEdit;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;

/**
 * Publishes the edits of users as audit events of Spring Boot.
 *
 * @param publisher publishes them
 */
record EditAudit(
		ApplicationEventPublisher publisher) implements ApplicationListener<PayloadApplicationEvent<UserEdit>> {

	/** The type of the events. */
	static final String TYPE = "RATELIMIT_CHANGED";

	@Override
	public void onApplicationEvent(PayloadApplicationEvent<UserEdit> event) {
		UserEdit edit = event.getPayload();
		this.publisher.publishEvent(new AuditApplicationEvent(new AuditEvent(edit.user(), TYPE,
				Map.of("what", edit.subject(), "note", edit.note(), "changes", edit.changes()))));
	}

}
