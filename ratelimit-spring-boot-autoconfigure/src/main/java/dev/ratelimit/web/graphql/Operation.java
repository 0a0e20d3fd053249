package dev.ratelimit.web.graphql;

import java.util.List;

import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.GraphQlFields;
import dev.ratelimit.rule.GraphQlFields.OperationType;

/**
 * A GraphQL operation in the form that rules evaluate. Immutable.
 *
 * @param type its type
 * @param fields its root fields, with an element for each alias
 */
record Operation(OperationType type, List<RootField> fields) {

	/** The maximum cost of one operation under one rule. */
	static final long MAX_COST = 1L << 40;

	/**
	 * Return the cost of the operation under a rule.
	 * @param rule the root fields of the rule
	 * @param replacing the root fields of the rules that replace it
	 * @param kind the kind of the rule's cost
	 * @return for {@link Cost.Kind#GRAPHQL}, the cost of the fields that match; otherwise
	 * the number of fields that match; −1 if no field matches
	 */
	long weight(GraphQlFields rule, List<GraphQlFields> replacing, Cost.Kind kind) {
		long weight = 0;
		boolean matches = false;
		for (int i = 0; i < this.fields.size(); i++) {
			RootField field = this.fields.get(i);
			if (rule.match(this.type, field.name()) && !isReplaced(field, replacing)) {
				matches = true;
				weight = Math.min(MAX_COST, weight + ((kind == Cost.Kind.GRAPHQL) ? field.cost() : 1));
			}
		}
		return (matches) ? weight : -1;
	}

	private boolean isReplaced(RootField field, List<GraphQlFields> replacing) {
		for (int i = 0; i < replacing.size(); i++) {
			if (replacing.get(i).match(this.type, field.name())) {
				return true;
			}
		}
		return false;
	}

	/**
	 * A root field with its selection.
	 *
	 * @param name the name in the schema
	 * @param cost units, from 0 to {@link #MAX_COST}
	 */
	record RootField(String name, long cost) {
	}

}
