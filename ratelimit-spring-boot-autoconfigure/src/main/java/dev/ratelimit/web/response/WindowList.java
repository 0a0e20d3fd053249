package dev.ratelimit.web.response;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.Policy;
import dev.ratelimit.Verdict;

/**
 * {@code RateLimit-Policy} of the drafts up to 7: a list of capacities, each with the
 * window that those drafts require. Thread-safe.
 */
final class WindowList {

	private final String name;

	private final PolicyTexts<Optional<HeaderField>> texts = new PolicyTexts<>(this::alone);

	WindowList(String name) {
		this.name = name;
	}

	String name() {
		return this.name;
	}

	void use(Collection<Policy> policies) {
		this.texts.use(policies);
	}

	void write(LimitSummary summary, List<HeaderField> fields) {
		if (summary.shown().size() == 1) {
			this.texts.of(summary.shown().get(0).policy()).ifPresent(fields::add);
			return;
		}
		StringBuilder list = new StringBuilder(32);
		for (Verdict verdict : summary.shown()) {
			this.texts.of(verdict.policy())
				.ifPresent((field) -> list.append((list.isEmpty()) ? "" : ", ").append(field.value()));
		}
		if (!list.isEmpty()) {
			fields.add(new HeaderField(this.name, list.toString()));
		}
	}

	// Limits of concurrent requests have no window. A window below one second is written
	// as one second, which never overstates the limit.
	private Optional<HeaderField> alone(Policy policy) {
		return (policy.concurrent()) ? Optional.empty() : Optional.of(new HeaderField(this.name,
				Math.min(DraftFormat.MAX_INTEGER, policy.capacity()) + ";w=" + policy.windowSeconds().orElse(1)));
	}

}
