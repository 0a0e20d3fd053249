package com.example.notes;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class NoteController {

	private final NoteRepository notes;

	public NoteController(NoteRepository notes) {
		this.notes = notes;
	}

	@GetMapping("/notes")
	public long count(String text) {
		return this.notes.countByText(text);
	}

}
