# Writes the golden files of R. r.py calls it, with the table to write and the folder for the files.
#
#     Rscript write.R source.csv files
#
# Made with R 4.2.2 and data.table 1.14.8 (Debian's r-base-core and r-cran-data.table).

given <- commandArgs(trailingOnly = TRUE)
folder <- given[2]
df <- read.csv(given[1], na.strings = "<none>", encoding = "UTF-8", colClasses = c(
  "character", "Date", "integer", "numeric", "logical", "character", "factor"))
df$timestamp <- as.POSIXct(df$timestamp, tz = "UTC")
stopifnot(inherits(df$day, "Date"), is.factor(df$shop), is.logical(df$paid), is.integer(df$n))

path <- function(name) file.path(folder, name)

# with names of rows, as R writes unless it is told otherwise
write.csv(df, path("r-write-csv.csv"))
write.csv2(df, path("r-write-csv2.csv"))
# the header lacks the column of names; quotes inside are escaped by backslashes
write.table(df, path("r-write-table.tsv"), sep = "\t")
# one with the corner that spreadsheets want, and doubled quotes
write.table(df, path("r-write-table-corner.tsv"), sep = "\t", col.names = NA, qmethod = "double")
# with spaces between; without moments, which hold one and are not quoted
write.table(df[names(df) != "timestamp"], path("r-write-table.txt"))
# without names of rows and quotes
plain <- df[, c("timestamp", "day", "n", "price", "paid", "shop")]
write.table(plain, path("r-unquoted.tsv"), sep = "\t", quote = FALSE, row.names = FALSE)

# names of rows that are texts, beside numbers alone
lines <- df[, c("n", "price")]
rownames(lines) <- paste("line", seq_len(nrow(lines)))
write.csv(lines, path("r-row-names.csv"))

# no names of rows, empty fields for what is missing, in a code page of eight bits
german <- df[, c("day", "n", "price", "paid")]
german$Straße <- factor(c("Bäckerweg", "Große Gasse", "Am Fluß")[(seq_len(nrow(df)) - 1) %% 3 + 1])
write.csv2(german, path("r-latin1.csv"), row.names = FALSE, na = "", fileEncoding = "latin1")

# fractions of seconds
options(digits.secs = 3)
precise <- df[, c("timestamp", "n")]
precise$timestamp <- precise$timestamp + 0.5
write.csv(precise, path("r-fractions.csv"), row.names = FALSE)
options(digits.secs = NULL)

# data.table
data.table::fwrite(df, path("r-fwrite.csv"))
data.table::fwrite(df, path("r-fwrite-bom.csv"), sep = ";", dec = ",", bom = TRUE, eol = "\r\n",
                   na = "NA", quote = TRUE, dateTimeAs = "write.csv")
