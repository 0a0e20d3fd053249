package dev.ratelimit.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of the limiter and their keys.
 *
 * @since 0.1.0
 */
public enum RateLimitObservationDocumentation implements ObservationDocumentation {

	/**
	 * One decision: on a request in one phase, or on a call of a limited method of a
	 * bean. There is none if no rule applies.
	 */
	ACQUIRE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return RateLimitObservationConvention.class;
		}

		@Override
		public KeyName[] getLowCardinalityKeyNames() {
			return LowCardinalityKeyNames.values();
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return HighCardinalityKeyNames.values();
		}

	};

	/**
	 * Keys with few values. Each observation has all of them, with the value {@code none}
	 * until the decision is made.
	 */
	public enum LowCardinalityKeyNames implements KeyName {

		/** {@code early}, {@code late}, or {@code method}. */
		PHASE {

			@Override
			public String asString() {
				return "ratelimit.phase";
			}

		},

		/** {@code allowed} or {@code denied}. */
		OUTCOME {

			@Override
			public String asString() {
				return "ratelimit.outcome";
			}

		},

		/** {@code local}, {@code remote}, or {@code fallback}. */
		SOURCE {

			@Override
			public String asString() {
				return "ratelimit.source";
			}

		},

		/** The {@link dev.ratelimit.Reason} in lower case. */
		REASON {

			@Override
			public String asString() {
				return "ratelimit.reason";
			}

		}

	}

	/**
	 * Keys for traces. The observation of the HTTP server has them too, for all phases
	 * together. No value contains a subject.
	 */
	public enum HighCardinalityKeyNames implements KeyName {

		/** The rules that apply, separated by commas. */
		RULES {

			@Override
			public String asString() {
				return "ratelimit.rules";
			}

		},

		/** The rules that reject, separated by commas. */
		REJECTED_BY {

			@Override
			public String asString() {
				return "ratelimit.rejected-by";
			}

		},

		/** The fewest remaining units of all limits that are enforced. */
		REMAINING {

			@Override
			public String asString() {
				return "ratelimit.remaining";
			}

		}

	}

}
