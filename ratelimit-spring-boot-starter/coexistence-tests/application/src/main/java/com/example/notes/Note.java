package com.example.notes;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

@Entity
public class Note {

	@Id
	private @Nullable Long id;

	private @Nullable String text;

	public @Nullable Long getId() {
		return this.id;
	}

	public @Nullable String getText() {
		return this.text;
	}

}
