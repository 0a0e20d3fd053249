package dev.ratelimit.web;

import java.util.List;

import dev.ratelimit.gate.AccessList;

/**
 * The parts in which the rules of a phase are evaluated: what does not require the form
 * in the content of a request decides before it is read, since clients may send it as
 * slowly as they like.
 */
enum Part {

	/** The rules that do not require a form. */
	FIRST,

	/** The rules that do, and that apply to the client. */
	FORM;

	// Most rules require no form.
	List<MatchedRule> of(List<MatchedRule> matches, GateRequest request) {
		for (int i = 0; i < matches.size(); i++) {
			if (!has(matches.get(i), request)) {
				return matches.stream().filter((match) -> has(match, request)).toList();
			}
		}
		return matches;
	}

	private boolean has(MatchedRule match, GateRequest request) {
		boolean form = match.web().readsForm(request) && request.carriesForm()
				&& match.rule().access().of(request) == AccessList.AccessDecision.LIMITED;
		return form == (this == FORM);
	}

}
