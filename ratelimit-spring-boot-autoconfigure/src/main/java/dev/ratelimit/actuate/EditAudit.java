package dev.ratelimit.actuate;

import java.util.Map;

import dev.ratelimit.base.UserEdit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;

/**
 * Publishes the edits of users as audit events of Spring Boot. The failure of a listener
 * or repository does not affect the edit.
 *
 * @param publisher publishes the events
 */
record EditAudit(
		ApplicationEventPublisher publisher) implements ApplicationListener<PayloadApplicationEvent<UserEdit>> {

	private static final Log logger = LogFactory.getLog(EditAudit.class);

	/** The type of the events. */
	static final String TYPE = "RATELIMIT_CHANGED";

	@Override
	public void onApplicationEvent(PayloadApplicationEvent<UserEdit> event) {
		UserEdit edit = event.getPayload();
		AuditEvent audit = new AuditEvent(edit.user(), TYPE,
				Map.of("what", edit.subject(), "note", edit.note(), "changes", edit.changes()));
		try {
			this.publisher.publishEvent(new AuditApplicationEvent(audit));
		}
		catch (RuntimeException ex) {
			logger.error("The audit log lacks an edit, since a listener failed: " + audit, ex);
		}
	}

}
