package dev.ratelimit.rule;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.ratelimit.FailurePolicy;
import dev.ratelimit.MissingKeyPolicy;
import dev.ratelimit.Phase;
import dev.ratelimit.RateLimited;
import dev.ratelimit.RuleMode;

/**
 * Controllers with valid and invalid annotations.
 */
final class AnnotatedControllers {

	private AnnotatedControllers() {
	}

	static class HTTPStatusController {

		@RateLimited("1/s")
		void getV2Status() {
		}

		@RateLimited("1/s")
		@RateLimited("5/min")
		void list() {
		}

		void plain() {
		}

	}

	@RateLimited("5/s")
	static class Shared {

		void one() {
		}

		void two() {
		}

		@RateLimited("1/s")
		void own() {
		}

	}

	@Target({ ElementType.METHOD, ElementType.TYPE })
	@Retention(RetentionPolicy.RUNTIME)
	@RateLimited("1/h")
	@interface Slow {

	}

	static class Composed {

		@Slow
		void slow() {
		}

	}

	static class Elsewhere {

		@RateLimited(rule = "search")
		void search() {
		}

		@RateLimited("5/s")
		static class Shared {

			void three() {
			}

		}

	}

	static class Attributes {

		@RateLimited(id = "all", value = "9/s", key = { "ip", "route" }, burst = 20, cost = "3",
				algorithm = "token-bucket", failure = FailurePolicy.CLOSED, mode = RuleMode.SHADOW,
				onMissingKey = MissingKeyPolicy.DENY, phase = Phase.LATE, status = 418, idempotency = true)
		void all() {
		}

	}

	static class Alike {

		@RateLimited(id = "alike", value = "1/s")
		void first() {
		}

		@RateLimited(id = "alike", value = "1/s")
		void second() {
		}

	}

	static class Clashing {

		@RateLimited(id = "clash", value = "1/s")
		void first() {
		}

		@RateLimited(id = "clash", value = "2/s")
		void second() {
		}

	}

	static class Overloaded {

		@RateLimited("1/s")
		void get() {
		}

		@RateLimited("1/s")
		void get(int page) {
		}

	}

	static class Both {

		@RateLimited(rule = "search", value = "1/s")
		void search() {
		}

	}

	static class KeyBesideRule {

		@RateLimited(rule = "search", key = "ip")
		void search() {
		}

	}

	static class Twice {

		@RateLimited(rule = "search")
		@RateLimited(rule = "search")
		void search() {
		}

	}

	static class Undecided {

		@RateLimited(value = "1/s", failure = { FailurePolicy.OPEN, FailurePolicy.CLOSED })
		void search() {
		}

	}

	static class Wordy {

		@RateLimited("1/s")
		void aMethodWhoseNameIsLongerThanAnybodyShouldWriteItReallyOne() {
		}

		@RateLimited("1/s")
		void aMethodWhoseNameIsLongerThanAnybodyShouldWriteItReallyTwo() {
		}

	}

}
